import Glibc

/// Processor time: on a machine that others use too it says more than the clock on the wall.
enum Processor {
    /// Seconds that this process has used.
    static var own: Double { seconds(__rusage_who_t(RUSAGE_SELF.rawValue)) }

    /// Seconds that ended child processes have used.
    static var children: Double { seconds(__rusage_who_t(RUSAGE_CHILDREN.rawValue)) }

    private static func seconds(_ who: __rusage_who_t) -> Double {
        var usage = rusage()
        getrusage(who, &usage)
        let micros =
            (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1_000_000
            + Int(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec)
        return Double(micros) / 1_000_000
    }
}

/// libxml2's own program over the same documents, as the limit.
enum Xmllint {
    /// How often `--repeat` parses each document.
    static let repetitions = 100

    /// Seconds of processor time for parsing every document a hundred times into a tree; `nil` without the program.
    static func run(_ paths: [String]) -> Double? {
        let before = Processor.children
        guard spawn(["--nonet", "--repeat", "--noout"] + paths, errors: "/dev/null") else { return nil }
        return Processor.children - before
    }

    /// Whether it parses a document without a word; words would cost it time that is not parsing.
    static func isSilent(_ path: String) -> Bool {
        let file = "/tmp/bench-vast-\(getpid())"
        defer { unlink(file) }
        guard spawn(["--nonet", "--noout", path], errors: file) else { return false }
        var status = stat()
        return stat(file, &status) == 0 && status.st_size == 0
    }

    private static func spawn(_ arguments: [String], errors: String) -> Bool {
        var words: [UnsafeMutablePointer<CChar>?] = (["xmllint"] + arguments).map { strdup($0) }
        defer { for word in words { free(word) } }
        words.append(nil)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errors, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        var child: pid_t = 0
        guard posix_spawnp(&child, "xmllint", &actions, nil, &words, environ) == 0 else { return false }
        var status: Int32 = 0
        return waitpid(child, &status, 0) == child && status == 0
    }
}
