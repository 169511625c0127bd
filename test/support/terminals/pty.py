"""Runs a program on a terminal of its own; pty.ts is the other end of its stdin and stdout.

In come lines: `w BASE64` types, `r COLUMNS ROWS` resizes, `k NUMBER` sends a signal to the program, `d SECONDS` leaves
what the program shows unread for so long, `h` drops the terminal. Out go lines: `p PID`, `o BASE64` what was shown,
`e CODE SIGNAL SAME`: how the program ended, and whether the terminal's settings are as they were before.
"""

import binascii
import fcntl
import os
import select
import struct
import sys
import termios
import time


def say(*words):
    os.write(1, (" ".join(str(word) for word in words) + "\n").encode())


def resize(terminal, columns, rows):
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


def start(columns, rows, command):
    ours, theirs = os.openpty()
    resize(ours, columns, rows)
    before = termios.tcgetattr(theirs)
    child = os.fork()
    if child == 0:
        os.setsid()
        fcntl.ioctl(theirs, termios.TIOCSCTTY, 0)
        for stream in (0, 1, 2):
            os.dup2(theirs, stream)
        os.closerange(3, 64)
        os.execvp(command[0], command)
    return ours, theirs, before, child


class Terminal:
    def __init__(self, columns, rows, command):
        self.ours, self.theirs, self.before, self.child = start(columns, rows, command)
        self.isOpen = True
        self.deafUntil = 0.0
        self.typed = b""
        say("p", self.child)

    def obey(self, line):
        name, *words = line.split()
        if name == "w":
            self.typed += binascii.a2b_base64("".join(words))
        elif name == "r":
            resize(self.ours, int(words[0]), int(words[1]))
        elif name == "k":
            os.kill(self.child, int(words[0]))
        elif name == "d":
            self.deafUntil = time.monotonic() + float(words[0])
        elif name == "h":
            self.close()

    def close(self):
        if self.isOpen:
            self.isOpen = False
            os.close(self.ours)
            os.close(self.theirs)

    def read(self):
        """What was shown and not read yet; False at its end."""
        part = os.read(self.ours, 65536)
        say("o", binascii.b2a_base64(part, newline=False).decode())

    def turn(self, orders):
        reads = [orders] if orders is not None else []
        listens = self.isOpen and time.monotonic() >= self.deafUntil
        if listens:
            reads.append(self.ours)
        writes = [self.ours] if self.isOpen and self.typed else []
        readable, writable, _ = select.select(reads, writes, [], 0.02)
        if self.isOpen and self.ours in readable:
            self.read()
        if writable:
            os.set_blocking(self.ours, False)
            try:
                self.typed = self.typed[os.write(self.ours, self.typed[:1024]) :]
            except BlockingIOError:
                pass
            os.set_blocking(self.ours, True)
        return orders in readable

    def ended(self):
        child, status = os.waitpid(self.child, os.WNOHANG)
        if child == 0:
            return False
        while self.isOpen and select.select([self.ours], [], [], 0.05)[0]:
            self.read()
        same = self.isOpen and termios.tcgetattr(self.theirs) == self.before
        code = os.WEXITSTATUS(status) if os.WIFEXITED(status) else "-"
        signal = os.WTERMSIG(status) if os.WIFSIGNALED(status) else "-"
        say("e", code, signal, "same" if same else "changed")
        return True


def main():
    terminal = Terminal(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:])
    orders = 0
    rest = b""
    while not terminal.ended():
        if not terminal.turn(orders):
            continue
        part = os.read(0, 65536)
        if part == b"":
            orders = None
            continue
        *lines, rest = (rest + part).split(b"\n")
        for line in lines:
            terminal.obey(line.decode())
    terminal.close()


main()
