import Testing

@testable import WeirVAST

/// What fuzzing has found and the smallest inputs that reach its corners: read again in every run.
@Suite("Kept inputs")
struct KeptInputTests {
    static let folder: String = {
        let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")
        return root + "/Fuzz/"
    }()

    @Test("nothing that fuzzing found traps, and what is read is written and read alike", arguments: ["Kept", "Seeds"])
    func kept(place: String) {
        let folder = Self.folder + place + "/vast/"
        let names = fileNames(in: folder)
        #expect(!names.isEmpty)
        for name in names {
            let bytes = read(folder + name) ?? []
            for options in [ReadOptions.lenient, .strict] {
                let reading = VASTReader.read(bytes, options: options)
                #expect(reading.diagnostics.count <= options.limits.diagnostics + 1)
                guard let document = reading.vast else { continue }
                #expect(VASTReader.read(VASTWriter.write(document).bytes).vast == document, "\(name)")
                for version in VASTVersion.allCases {
                    let output = VASTWriter.convert(document, to: version).bytes
                    #expect(VASTReader.read(output).vast?.ads.count == document.ads.count, "\(name) to \(version)")
                }
            }
            #expect(DocumentOutline(bytes).elements.allSatisfy { $0.line > 0 && $0.column > 0 })
        }
    }

    @Test(
        "what libxml2 would take for UTF-32 or EBCDIC is refused in words",
        arguments: [
            [0x00, 0x00, 0x00, 0x3C], [0x3C, 0x00, 0x00, 0x00], [0x00, 0x00, 0x3C, 0x00], [0x4C, 0x6F, 0xA7, 0x94],
            Array("{\"error\":\"no\"}".utf8),
        ] as [[UInt8]]
    )
    func otherEncodings(head: [UInt8]) {
        let bytes = head + Array("<VAST version=\"3.0\"/>".utf8)
        for options in [ReadOptions.lenient, .strict] {
            let reading = VASTReader.read(bytes, options: options)
            #expect(reading.failure != nil)
            #expect(reading.failure?.errorCode == .xmlParsing)
        }
    }
}
