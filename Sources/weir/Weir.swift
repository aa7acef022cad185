@main
struct Weir {
    static func main() { say("weir") }
}
