internal import WeirAdapterKit
internal import WeirHTTP
internal import WeirRuntime
internal import WeirTime

/// The other end of every conversation of a conformance run: one server on loopback, and the transport that serves.
///
/// Adapters keep the addresses of their settings; the conversation's transport sends what they ask to this server in
/// place of the hosts that they name, through the real client and over real sockets.
package final class FakeNetwork: Sendable {
    /// Adapters may ask for long addresses; the server takes a little more than the client sends.
    private static let headBytes = 1 << 17

    private struct State {
        var conversations: [Int: Conversation] = [:]
        var lastNumber = 0
    }

    let port: Int
    private let loops: EventLoopGroup
    private let server: HTTPServer
    private let clients: HTTPClientPool
    private let board: Board

    /// Where the server finds the conversations.
    private final class Board: Sendable {
        let state = Lock(State())
    }

    private init(port: Int, loops: EventLoopGroup, server: HTTPServer, clients: HTTPClientPool, board: Board) {
        self.port = port
        self.loops = loops
        self.server = server
        self.clients = clients
        self.board = board
    }

    /// Starts the server on a port that the system chooses.
    ///
    /// - Returns: The network; ``stop()`` ends it.
    /// - Throws: An error whose description is one sentence, when the system refuses.
    package static func start() async throws -> FakeNetwork {
        let socket = try ListeningSocket.bind("127.0.0.1:0")
        let loops: EventLoopGroup
        do { loops = try EventLoopGroup(count: 2) } catch {
            socket.close()
            throw error
        }
        let board = Board()
        var configuration = ServerConfiguration()
        configuration.maxConnectionsPerAddress = configuration.maxConnections
        configuration.maxHeadBytes = headBytes
        let server = HTTPServer(loop: loops.loops[0], configuration: configuration) { request in
            let place = ConversationPlace(request.path)
            let conversation = place.flatMap { place in
                board.state.withLock { $0.conversations[place.conversation] }
            }
            guard let place, let conversation else { return ServerResponse(status: 404) }
            return await conversation.answer(request, number: place.number)
        }
        do { try await server.listen(socket) } catch {
            await loops.shutDown()
            throw error
        }
        return FakeNetwork(
            port: socket.port,
            loops: loops,
            server: server,
            clients: HTTPClientPool(group: loops),
            board: board
        )
    }

    /// Closes all connections and ends the loops.
    package func stop() async {
        await clients.shutdown()
        await server.close()
        await loops.shutDown()
    }

    /// Opens a conversation; `answer` says what each request of the adapter is answered, in the order in which they
    /// leave.
    func converse(_ answer: @escaping @Sendable (OutboundRequest) -> Conversation.Answer) -> Conversation {
        let number = board.state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        let conversation = Conversation(number: number, answer: answer)
        board.state.withLock { $0.conversations[number] = conversation }
        return conversation
    }

    /// Ends a conversation: who asks in it from now on is answered 404.
    func end(_ conversation: Conversation) {
        board.state.withLock { $0.conversations[conversation.number] = nil }
    }

    /// The way to this network for the adapter of one conversation.
    func transport(_ conversation: Conversation) -> RoutedTransport {
        var policy = OutboundPolicy()
        // The one private address that may be reached; a case of a refused address asks for another.
        if let allowed = try? AddressPolicy(allowPrivate: ["127.0.0.1"]) { policy.allowPrivate = allowed }
        return RoutedTransport(conversation: conversation, port: port, wire: clients.transport(policy: policy))
    }
}
