import Testing

@testable import WeirVAST

/// The published schemas, compiled once; they are data of others and not part of the project.
enum Schemas {
    static let files: [VASTVersion: String] = [
        .v2: "vast_2.0.1.xsd", .v3: "vast3_draft.xsd", .v4: "vast4.xsd", .v41: "vast_4.1.xsd", .v42: "vast_4.2.xsd",
        .v43: "vast_4.2.xsd",
    ]

    private static let compiled: [String: VASTSchema] = {
        var result: [String: VASTSchema] = [:]
        for file in Set(files.values).union(["vmap-own.xsd"]) {
            guard let root = Corpus.root, let bytes = read(root + "/data/xsd/" + file) else { continue }
            result[file] = try? VASTSchema(bytes)
        }
        return result
    }()

    static func schema(_ version: VASTVersion) -> VASTSchema? { files[version].flatMap { compiled[$0] } }

    static var vmap: VASTSchema? { compiled["vmap-own.xsd"] }
}
