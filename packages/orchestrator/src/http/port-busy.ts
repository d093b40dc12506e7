/** A listener that could not be opened, with a hint for the operator. */
export class CannotListen extends Error {
  readonly host: string;
  readonly port: number;

  constructor(host: string, port: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.host = host;
    this.port = port;
  }

  static from(error: unknown, host: string, port: number): CannotListen {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'EADDRINUSE') return new PortBusy(host, port, {cause: error});
    const reason = error instanceof Error ? error.message : String(error);
    const remedy =
      code === 'EACCES'
        ? 'choose a port above 1023'
        : 'choose an address of this machine with --host or server.host';
    return new CannotListen(host, port, `cannot listen on ${host}:${port} (${reason}); ${remedy}`, {
      cause: error,
    });
  }
}

/** Another process listens there. */
export class PortBusy extends CannotListen {
  constructor(host: string, port: number, options?: ErrorOptions) {
    const message = `port ${port} of ${host} is in use; choose another with --port, server.port or server.webhook_port, or end the process that listens there`;
    super(host, port, message, options);
  }
}
