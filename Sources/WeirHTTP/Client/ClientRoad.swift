/// Which way requests go.
package enum ClientRoad: Hashable, CaseIterable, Sendable {
    /// libcurl connects, and what goes over the connection is ours; odd URLs go by the other road.
    case direct
    /// Everything is a transfer of libcurl's.
    case transfers
}
