"""Runs a command in a pseudo-terminal: its output goes to stdout, and a line `rows columns` on stdin resizes it.

What follows `type ` on stdin is typed.
"""
import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios


def resize(fd, rows, columns):
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


rows, columns, *command = sys.argv[1:]
pid, fd = pty.fork()
if pid == 0:
    # The size is set before the command looks at it.
    resize(0, int(rows), int(columns))
    os.execvp(command[0], command)

watched = [fd, 0]
while True:
    ready, _, _ = select.select(watched, [], [])
    if 0 in ready:
        said = os.read(0, 1000)
        line = said.split()
        if said.startswith(b"type "):
            os.write(fd, said[5:])
        elif len(line) == 2:
            resize(fd, int(line[0]), int(line[1]))
            os.kill(pid, signal.SIGWINCH)
        else:
            watched.remove(0)
    if fd in ready:
        try:
            data = os.read(fd, 65536)
        except OSError:
            data = b""
        if not data:
            break
        os.write(1, data)
_, status = os.waitpid(pid, 0)
sys.exit(os.waitstatus_to_exitcode(status))
