import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { OutputPump } from './output-pump.ts';

/** Bytes that come one after the other, and then the end or nothing more. */
function stream(count: number, everyMs: number, ends = true): Readable {
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for (let i = 0; i < count; i++) {
      await sleep(everyMs);
      yield Buffer.from('x');
    }
    if (!ends) await new Promise(() => undefined);
  }
  return Readable.from(chunks());
}

function pumpOf(source: Readable | null): { pump: OutputPump; text: () => string } {
  let text = '';
  const pump = new OutputPump(Promise.resolve(source), async (bytes) => void (text += Buffer.from(bytes).toString()));
  return { pump, text: () => text };
}

describe('OutputPump', () => {
  test('reads on for as long as bytes come, to the end', async () => {
    const { pump, text } = pumpOf(stream(8, 80));
    expect(await pump.drained()).toBe(true);
    expect(text()).toBe('xxxxxxxx');
    pump.stop();
  });

  test('gives up a pipe that is silent, and one that flows on and on', async () => {
    const silent = pumpOf(stream(2, 1, false));
    expect(await silent.pump.drained()).toBe(false);
    expect(silent.text()).toBe('xx');
    silent.pump.stop();
    const endless = pumpOf(stream(1e9, 50));
    expect(await endless.pump.drained()).toBe(false);
    expect(endless.text().length).toBeGreaterThan(10);
    endless.pump.stop();
  });

  test('waits for a reader that is at work', async () => {
    let isRead = false;
    const pump = new OutputPump(Promise.resolve(stream(1, 1)), async () => {
      await sleep(500);
      isRead = true;
    });
    expect(await pump.drained()).toBe(true);
    expect(isRead).toBe(true);
    pump.stop();
  });

  test('goes on reading past a reader that fails, and then says why', async () => {
    const source = stream(20, 1);
    const pump = new OutputPump(Promise.resolve(source), () => Promise.reject(new Error('no room')));
    expect(await pump.drained()).toBe(true);
    expect(source.readableEnded).toBe(true);
    expect(() => pump.stop()).toThrow('no room');
  });

  test('a pipe that cannot be opened is an error, and none at all is an end', async () => {
    const failed = new OutputPump(Promise.reject(new Error('too many files')), async () => undefined);
    expect(await failed.drained()).toBe(true);
    expect(() => failed.stop()).toThrow('too many files');
    expect(await pumpOf(null).pump.drained()).toBe(true);
  });
});
