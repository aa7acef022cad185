print("weir")
