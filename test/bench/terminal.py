"""A terminal of 80 columns and 24 rows that times what a program on it shows. chat.mjs is at the other end.

In come lines: `start WORD...` (words in base64) runs a program, `key BYTES` types and waits for the next thing shown,
`send BYTES MARK` types and waits until the mark is shown, `wait MARK`, `end` kills it.
Out goes a line for each: milliseconds, or `-` for what never came.
"""

import base64
import fcntl
import os
import select
import signal
import struct
import sys
import termios
import time

patience = 20.0


class Terminal:
    def __init__(self, command):
        self.started = time.perf_counter()
        ours, theirs = os.openpty()
        fcntl.ioctl(ours, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.child = os.fork()
        if self.child == 0:
            os.setsid()
            fcntl.ioctl(theirs, termios.TIOCSCTTY, 0)
            for stream in (0, 1, 2):
                os.dup2(theirs, stream)
            os.closerange(3, 64)
            os.execvp(command[0], command)
        os.close(theirs)
        os.set_blocking(ours, False)
        self.ours = ours
        self.shown = b""

    def turn(self, typed, giveUpAt):
        """Writes and reads what can be now; returns what is still to be typed, and whether anything was shown."""
        writes = [self.ours] if typed else []
        left = max(0.0, giveUpAt - time.perf_counter())
        readable, writable, _ = select.select([self.ours], writes, [], left)
        if readable:
            self.shown += os.read(self.ours, 65536)
        if writable:
            typed = typed[os.write(self.ours, typed[:4096]) :]
        return typed, bool(readable)

    def drain(self, quiet=0.03):
        while select.select([self.ours], [], [], quiet)[0]:
            os.read(self.ours, 65536)
        self.shown = b""

    def key(self, typed):
        self.drain(0.002)
        start = time.perf_counter()
        hasShown = False
        while not hasShown and time.perf_counter() < start + patience:
            typed, hasShown = self.turn(typed, start + patience)
        return since(start) if hasShown else "-"

    def until(self, mark, start, typed=b""):
        while mark not in self.shown:
            if time.perf_counter() > start + patience:
                return "-"
            typed, _ = self.turn(typed, start + patience)
            self.shown = self.shown[-1_000_000:]
        return since(start)

    def end(self):
        try:
            os.kill(self.child, signal.SIGKILL)
        except ProcessLookupError:
            pass
        os.waitpid(self.child, 0)
        os.close(self.ours)
        return since(self.started)


def since(start):
    return f"{(time.perf_counter() - start) * 1000:.3f}"


def obey(terminal, name, words):
    if name == "key":
        return terminal.key(words[0])
    if name == "send":
        terminal.drain()
        return terminal.until(words[1], time.perf_counter(), words[0])
    if name == "wait":
        return terminal.until(words[0], terminal.started)
    return terminal.end()


def main():
    terminal = None
    for line in sys.stdin:
        name, *words = line.split()
        words = [base64.b64decode(word) for word in words]
        if name == "start":
            terminal = Terminal([word.decode() for word in words])
            print("0", flush=True)
        else:
            print(obey(terminal, name, words), flush=True)


main()
