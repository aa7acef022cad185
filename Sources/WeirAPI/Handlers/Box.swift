internal import WeirTime

/// A place that a closure can leave a value in.
final class Box<Value: Sendable>: Sendable {
    let value = Lock<Value?>(nil)
}
