internal import WeirAdapterKit

/// The few lines that turn a Swift adapter into a process: any factory of an `HTTPAdapter` will do.
@main
enum BidCoProcess {
    static func main() async {
        await ProcessAdapterHost(BidCoAdapter.factory).run()
    }
}
