/// Waits until `isTrue`, looking again every millisecond.
///
/// For what no clock of the test decides: another task that has to come so far. It sleeps between the looks: tests run
/// side by side on few threads, and one that only yields takes all the time that the others need.
///
/// There is no limit but the test's own; a cancelled task returns at once.
public func waitUntil(_ isTrue: () async throws -> Bool) async rethrows {
    while try await !isTrue() {
        do { try await Task.sleep(for: .milliseconds(1)) } catch { return }
    }
}
