import type { Socket } from 'bun';

/** A connection to a server that can be cut: data in transit is lost, and nothing gets through until it is restored. */
export interface CutLine {
  readonly url: string;
  /** Cuts a connection after it has carried this many bytes to the server. */
  cutAfter(bytes: number): void;
  cut(): void;
  readonly isCut: boolean;
  mend(): void;
  close(): void;
}

interface Ends {
  other: Socket<Ends> | null;
  /** Data that is sent when the other end reads more. */
  waiting: Uint8Array[];
  carried: number;
  readonly isClient: boolean;
}

export function cutLine(server: URL): CutLine {
  const open = new Set<Socket<Ends>>();
  let limit = Number.POSITIVE_INFINITY;
  let isCut = false;
  const cut = (): void => {
    isCut = true;
    for (const socket of open) socket.terminate();
  };
  const pass = (from: Socket<Ends>): void => {
    const { other, waiting } = from.data;
    while (other !== null && waiting.length > 0) {
      const piece = waiting[0] as Uint8Array;
      const written = other.write(piece);
      if (written < piece.length) {
        waiting[0] = piece.subarray(Math.max(0, written));
        return;
      }
      waiting.shift();
    }
  };
  const handlers = {
    data(socket: Socket<Ends>, bytes: Uint8Array): void {
      const { data } = socket;
      data.waiting.push(new Uint8Array(bytes));
      data.carried += data.isClient ? bytes.length : 0;
      if (data.carried > limit) cut();
      else pass(socket);
    },
    drain(socket: Socket<Ends>): void {
      if (socket.data.other !== null) pass(socket.data.other);
    },
    close(socket: Socket<Ends>): void {
      open.delete(socket);
      socket.data.other?.end();
    },
    error(): void {},
  };
  const listener = Bun.listen<Ends>({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      ...handlers,
      async open(socket) {
        socket.data = { other: null, waiting: [], carried: 0, isClient: true };
        if (isCut) {
          socket.terminate();
          return;
        }
        open.add(socket);
        const data: Ends = { other: socket, waiting: [], carried: 0, isClient: false };
        const other = await Bun.connect<Ends>({
          hostname: server.hostname,
          port: Number(server.port),
          data,
          socket: handlers,
        });
        open.add(other);
        socket.data.other = other;
        pass(socket);
      },
    },
  });
  return {
    url: `http://127.0.0.1:${listener.port}/`,
    cutAfter(bytes) {
      limit = bytes;
    },
    cut,
    get isCut() {
      return isCut;
    },
    mend() {
      limit = Number.POSITIVE_INFINITY;
      isCut = false;
    },
    close: () => listener.stop(true),
  };
}
