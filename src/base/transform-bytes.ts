/** Returns the bytes after a pair of streams has transformed them. */
export async function* transformBytes(
  bytes: AsyncIterable<Uint8Array>,
  by: { readonly readable: ReadableStream; readonly writable: WritableStream },
): AsyncGenerator<Uint8Array> {
  const reader = toStream(bytes).pipeThrough(by).getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value as Uint8Array;
  } finally {
    await reader.cancel().catch(() => {});
  }
}

function toStream(bytes: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const pieces = bytes[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await pieces.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await pieces.return?.();
    },
  });
}
