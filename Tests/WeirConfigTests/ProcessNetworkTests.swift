import Testing
import WeirCarriers
import WeirJSON

@testable import WeirConfig

@Suite("Networks of the kind process")
struct ProcessNetworkTests {
    private func read(_ entry: String, file: String = "folder/w.json") -> ConfigurationReader.Result {
        Fixtures.reader().read(text: whole(networks: entry), file: file)
    }

    @Test("a command with its limits, variables and settings is read")
    func complete() throws {
        let result = read(
            #"""
            {"id": "gam", "adapter": "process", "command": ["python3", "adapters/acme.py"],
             "settings": {"anything": {"deep": [1]}, "key": {"env": "REWARDCO_KEY"}},
             "process": {"env": {"TZ": "UTC", "TOKEN": {"env": "REWARDCO_KEY"}}, "max_in_flight": 5,
               "max_frame_bytes": 4096, "memory_bytes": 268435456, "open_files": 20, "cpu_seconds": 60, "grace_ms": 70}}
            """#
        )
        let entry = try #require(result.configuration?.networks.first, "\(result.report.text)")
        let process = try #require(entry.process)
        #expect(process.command == ["python3", "adapters/acme.py"])
        #expect(process.directory == "folder")
        #expect(process.environment == ["TZ": "UTC", "TOKEN": "rewardco-key-text"])
        #expect(process.maxInFlight == 5)
        #expect(process.maxFrameBytes == 4096)
        #expect(process.memoryBytes == 268_435_456)
        #expect(process.openFiles == 20)
        #expect(process.cpuSeconds == 60)
        #expect(process.grace == .milliseconds(70))
        #expect(entry.settings["key"]?.string == "rewardco-key-text")
        #expect(entry.settings["anything"]?["deep"]?[0]?.int == 1)
        #expect(!entry.hasUnknownAdapter)
        #expect(result.configuration?.secrets.contains("rewardco-key-text") == true)
    }

    @Test("what is absent has the defaults of docs/configuration.md")
    func defaults() throws {
        let result = read(#"{"id": "gam", "adapter": "process", "command": ["python3"]}"#, file: "w.json")
        let process = try #require(result.configuration?.networks.first?.process)
        #expect(process == ProcessConfiguration(command: ["python3"], directory: "."))
    }

    @Test("another command, limit or variable makes another adapter; comments do not")
    func fingerprint() throws {
        func print(_ entry: String) throws -> String {
            try #require(read(entry).configuration?.networks.first).fingerprint
        }
        let plain = try print(#"{"id": "gam", "adapter": "process", "command": ["python3", "a"]}"#)
        #expect(try print(#"{"id": "gam", /* x */ "adapter": "process", "command": ["python3", "a"]}"#) == plain)
        #expect(try print(#"{"id": "gam", "adapter": "process", "command": ["python3", "b"]}"#) != plain)
        let limited = #"{"id": "gam", "adapter": "process", "command": ["python3", "a"], "process": {"open_files": 9}}"#
        #expect(try print(limited) != plain)
    }

    @Test(
        "mistakes are pointed at, with line and column",
        arguments: [
            (#"{"id": "gam", "adapter": "process"}"#, "2:1: error: networks[0].command: is required by"),
            (#"{"id": "gam", "adapter": "process", "command": []}"#, "2:48: error: networks[0].command: must not be"),
            (
                #"{"id": "gam", "adapter": "process", "command": ["pythno3", "a.py"]}"#,
                "2:49: error: networks[0].command[0]: There is no program \"pythno3\" in PATH. A program beside this file"
            ),
            (
                #"{"id": "gam", "adapter": "process", "command": ["adapters/none"]}"#,
                "2:49: error: networks[0].command[0]: There is no program \"adapters/none\" that can be run."
            ),
            (
                #"{"id": "gam", "adapter": "process", "command": ["python3"], "process": {"memory_byte": 1}}"#,
                "2:73: error: networks[0].process.memory_byte: There is no such key. Did you mean \"memory_bytes\"?"
            ),
            (
                #"{"id": "gam", "adapter": "process", "command": ["python3"], "process": {"open_files": 1}}"#,
                "2:87: error: networks[0].process.open_files: must be a whole number from 8 to"
            ),
            (
                #"{"id": "gam", "adapter": "process", "command": ["python3"], "process": {"env": {"A B": "x"}}}"#,
                "2:81: error: networks[0].process.env[\"A B\"]: is not the name of an environment variable."
            ),
            (
                #"{"id": "gam", "adapter": "process", "command": ["python3"], "process": {"env": {"A": 1}}}"#,
                "2:86: error: networks[0].process.env.A: must be text"
            ),
            (
                #"{"id": "gam", "adapter": "vast", "settings": {"tag_url": "u"}, "command": ["x"]}"#,
                "2:64: warning: networks[0].command: Only adapters of kind \"process\" read it."
            ),
        ]
    )
    func mistakes(_ entry: String, _ complaint: String) {
        let lines = read(entry).report.text
        #expect(lines.contains("folder/w.json:" + complaint), "\(lines)")
    }

    @Test("a program beside the file is found from there")
    func besideTheFile() {
        let result = read(#"{"id": "gam", "adapter": "process", "command": ["adapters/acme"]}"#)
        #expect(result.configuration != nil, "\(result.report.text)")
    }
}
