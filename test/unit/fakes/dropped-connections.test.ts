import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { startDeadEndProxy } from '../../fakes/dead-end-proxy.ts';
import { requestBody } from '../../fakes/request-body.ts';

/** Opens a connection and sends this as it is. */
async function send(url: string, text: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  await once(socket, 'connect');
  socket.write(text);
  return socket;
}

it('SPEC-3: a proxy whose caller resets the connection goes on', async () => {
  const asked: string[] = [];
  const proxy = await startDeadEndProxy((url) => asked.push(url));
  try {
    for (const host of ['one.example:443', 'two.example:443', 'three.example:443']) {
      const socket = await send(proxy.url, `CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
      await expect.poll(() => asked.at(-1)).toBe(host);
      const closed = once(socket, 'close');
      socket.resetAndDestroy();
      await closed;
    }
    expect((await fetch(proxy.url)).status).toBe(502);
  } finally {
    await proxy.close();
  }
});

it('SPEC-3: a request whose sender leaves before its end has no body', async () => {
  const bodies: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    void requestBody(request).then((body) => {
      bodies.push(body?.toString());
      response.end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    const arrived = once(server, 'request');
    const socket = await send(url, 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf');
    await arrived;
    socket.resetAndDestroy();
    await expect.poll(() => bodies).toEqual([undefined]);
    await fetch(url, { method: 'POST', body: 'whole' });
    expect(bodies).toEqual([undefined, 'whole']);
  } finally {
    server.close();
  }
});
