/// An `Extension` or `CreativeExtension`, verbatim (VAST 4.3 §3.18).
public struct VASTExtension: Hashable, Sendable {
    /// One attribute of an element.
    public struct Attribute: Hashable, Sendable {
        /// The name, with its prefix if it has one.
        public var name: String
        /// The value.
        public var value: String

        /// An attribute.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// One child element, read: its local name, and its text when it has no children.
    public struct Field: Hashable, Sendable {
        /// The local name.
        public var name: String
        /// The text, trimmed.
        public var text: String

        /// A child element.
        public init(name: String, text: String) {
            self.name = name
            self.text = text
        }
    }

    /// The `type` attribute, as written.
    public var type: String?

    /// The other attributes, and the namespaces that the content uses and that were declared further up.
    public var attributes: [Attribute]

    /// What stands between the tags, character for character.
    public var content: String

    /// The child elements, read from the content.
    public var fields: [Field]

    /// Measurement code that the content holds, as was usual before VAST 4.1 (type `AdVerifications`).
    public var verifications: [Verification] = []

    /// An extension whose content is well-formed XML.
    public init(type: String? = nil, attributes: [Attribute] = [], content: String = "", fields: [Field] = []) {
        self.type = type
        self.attributes = attributes
        self.content = content
        self.fields = fields
    }
}
