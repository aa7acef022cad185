/// Aligned columns; widths are counted in characters, colours are put on afterwards.
///
/// The last column may hold sentences: where a line is too narrow for them they are wrapped inside their column, or
/// stand below their row when hardly anything is left for that column.
struct Table {
    /// One cell: its text, and how it is painted.
    struct Cell {
        var text: String
        var paint: (String) -> String

        /// A cell; characters that would steer the terminal are shown, not obeyed.
        init(_ text: String, _ paint: @escaping (String) -> String = { $0 }) {
            self.text = printable(text)
            self.paint = paint
        }
    }

    private struct Row {
        var cells: [Cell]
        var isHeader: Bool
    }

    /// The space between two columns.
    private static let gap = 2
    /// A last column narrower than this goes below its row.
    private static let leastProse = 36
    /// How far sentences below a row are moved in at most.
    private static let deepestIndent = 16

    private var rows: [Row] = []

    /// Adds the row that names the columns.
    mutating func header(_ cells: [Cell]) { rows.append(Row(cells: cells, isHeader: true)) }

    /// Adds a row.
    mutating func row(_ cells: [Cell]) { rows.append(Row(cells: cells, isHeader: false)) }

    /// The width of each column.
    private var widths: [Int] {
        rows.reduce(into: [Int]()) { widths, row in
            for (column, cell) in row.cells.enumerated() {
                if column == widths.count { widths.append(0) }
                widths[column] = max(widths[column], cell.text.count)
            }
        }
    }

    /// How wide the columns before the last one are together.
    var widthBeforeLast: Int { Self.width(widths.dropLast()) }

    /// The longest word of the sentences; one that would have to be broken goes below its row instead.
    private var longestWord: Int {
        rows.flatMap { $0.cells.last?.text.split(separator: " ") ?? [] }.map(\.count).max() ?? 0
    }

    private static func width(_ columns: [Int]) -> Int {
        columns.reduce(0, +) + max(0, columns.count - 1) * gap
    }

    /// The lines, each behind `indent`; the last column is not padded.
    ///
    /// - Parameters:
    ///   - indent: What stands before each line.
    ///   - width: How many characters a line may have; `nil`: as many as it needs.
    /// - Returns: The lines of all rows.
    func lines(indent: String = "", width: Int? = nil) -> [String] {
        blocks(indent: indent, width: width).flatMap(\.self)
    }

    /// The same, the lines of each row by themselves.
    func blocks(indent: String = "", width: Int? = nil) -> [[String]] {
        let widths = widths
        guard let width, indent.count + Self.width(widths) > width else {
            return rows.map { [line($0.cells, widths, indent)] }
        }
        let start = indent.count + widthBeforeLast + Self.gap
        return width - start >= max(Self.leastProse, longestWord)
            ? rows.map { beside($0.cells, widths, indent, width - start) }
            : rows.map { below($0, widths, indent, width) }
    }

    /// One line; nothing is padded behind the last word.
    private func line(_ cells: [Cell], _ widths: [Int], _ indent: String) -> String {
        let last = cells.lastIndex { !$0.text.isEmpty } ?? 0
        return indent
            + cells.prefix(last + 1).enumerated().map { column, cell in
                cell.paint(cell.text) + spaces(column == last ? 0 : widths[column] - cell.text.count)
            }.joined(separator: spaces(Self.gap))
    }

    /// The last cell wrapped inside its own column.
    private func beside(_ cells: [Cell], _ widths: [Int], _ indent: String, _ room: Int) -> [String] {
        guard let prose = cells.last, cells.count == widths.count else { return [line(cells, widths, indent)] }
        let pieces = wrapped(prose.text, width: room)
        let first = cells.dropLast() + [Cell(pieces.first ?? "", prose.paint)]
        let hanging = spaces(indent.count + widthBeforeLast + Self.gap)
        return [line(Array(first), widths, indent)] + pieces.dropFirst().map { hanging + prose.paint($0) }
    }

    /// The last cell below its row; the name of that column is left out.
    private func below(_ row: Row, _ widths: [Int], _ indent: String, _ width: Int) -> [String] {
        guard let prose = row.cells.last, row.cells.count == widths.count, widths.count > 1 else {
            return [line(row.cells, widths, indent)]
        }
        let above = line(Array(row.cells.dropLast()), widths, indent)
        guard !row.isHeader, !prose.text.isEmpty else { return [above] }
        let depth = min(indent.count + widths[0] + Self.gap, Self.deepestIndent)
        return [above] + wrapped(prose.text, width: width - depth).map { spaces(depth) + prose.paint($0) }
    }
}
