/// The scaffold of a process adapter: a Python program of the standard library, and its cases.
enum ProcessScaffold {
    static func scaffold(_ name: AdapterName, in parent: String) -> Scaffold {
        let folder = "\(parent)/\(name.kind)"
        return Scaffold(folder: folder, files: [], entry: "", next: ["weir adapter test \(folder)"])
    }
}
