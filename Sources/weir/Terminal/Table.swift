/// Aligned columns; widths are counted in characters, colours are put on afterwards.
struct Table {
    /// One cell: its text, and how it is painted.
    struct Cell {
        var text: String
        var paint: (String) -> String

        init(_ text: String, _ paint: @escaping (String) -> String = { $0 }) {
            self.text = text
            self.paint = paint
        }
    }

    private var rows: [[Cell]] = []

    /// Adds a row.
    mutating func row(_ cells: [Cell]) { rows.append(cells) }

    /// The lines, each behind `indent`; the last column is not padded.
    func lines(indent: String = "") -> [String] {
        let widths = rows.reduce(into: [Int]()) { widths, row in
            for (column, cell) in row.enumerated() {
                if column == widths.count { widths.append(0) }
                widths[column] = max(widths[column], cell.text.count)
            }
        }
        return rows.map { row in
            let cells = row.enumerated().map { column, cell in
                let isLast = column == row.count - 1
                let padding = String(repeating: " ", count: isLast ? 0 : widths[column] - cell.text.count)
                return cell.paint(cell.text) + padding
            }
            return indent + cells.joined(separator: "  ")
        }
    }
}
