-- wrk: POST /v1/ads with the body of an ordinary app.
wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
wrk.body = [[{"placement":"p","app":{"bundle":"tv.example","version":"3.1"},"device":{"ua":"ExampleTV/3.1 (Linux)","ip":"203.0.113.7","os":"Linux","language":"en"},"user":{"id":"u-17"},"content":{"url":"https://tv.example/films/17","duration_ms":5400000},"player":{"width":1280,"height":720,"mimes":["video/mp4"]}}]]
