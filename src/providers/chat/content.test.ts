import { describe, expect, test } from 'vitest';
import { chunk, DONE, finish, fragment, replyTo } from '../../../test/chat-chunks.ts';

const made = { provider: 'provider', model: 'model' };
const token = (data: unknown): unknown => ({ ...made, data });

async function contentOf(...events: readonly object[]): Promise<unknown> {
  return (await replyTo([...events, finish('stop'), DONE])).message.content;
}

describe('text', () => {
  test('is one block until another kind comes between', async () => {
    expect(
      await contentOf(chunk({ content: 'a' }), chunk({ content: 'b' }), chunk({ reasoning: 'r' }), chunk({ content: 'c' })),
    ).toEqual([
      { type: 'text', text: 'ab' },
      { type: 'thinking', text: 'r', replay: token({ field: 'reasoning' }) },
      { type: 'text', text: 'c' },
    ]);
  });

  test('may be an array of parts, reasoning among them', async () => {
    const thinking = { type: 'thinking', thinking: [{ type: 'text', text: 'hm' }], closed: true };
    const parts = [thinking, { type: 'reference', reference_ids: [1] }, { type: 'text', text: 'so' }];
    expect(await contentOf(chunk({ content: parts }))).toEqual([
      { type: 'thinking', text: 'hm', replay: token({ field: 'content' }) },
      { type: 'text', text: 'so' },
    ]);
  });

  test('stands in `message` where there is no delta, but not a second time at the end', async () => {
    // Source: MiniMax-AI/MiniMax-M2.5#2
    const message = { role: 'assistant', content: 'Hi' };
    expect(await contentOf({ choices: [{ index: 0, message }] })).toEqual([{ type: 'text', text: 'Hi' }]);
    expect(await contentOf(chunk({ content: 'Hi' }), { choices: [{ index: 0, delta: null, message }] })).toEqual([
      { type: 'text', text: 'Hi' },
    ]);
  });

  test('of a refusal is a refusal, though it finishes with stop', async () => {
    const reply = await replyTo([
      chunk({ refusal: '' }),
      chunk({ refusal: 'No' }),
      chunk({ refusal: '.' }),
      finish('stop'),
      DONE,
    ]);
    expect(reply).toMatchObject({ stopReason: 'refusal', error: null, message: { content: [{ type: 'text', text: 'No.' }] } });
  });
});

describe('reasoning', () => {
  test('is read from whichever field has it, and its token tells which', async () => {
    for (const field of ['reasoning_content', 'reasoning', 'reasoning_text']) {
      expect(await contentOf(chunk({ [field]: 'h', content: '' }), chunk({ [field]: 'm', content: null }))).toEqual([
        { type: 'thinking', text: 'hm', replay: token({ field }) },
      ]);
    }
  });

  test('that comes in two fields at once is read once', async () => {
    expect(await contentOf(chunk({ reasoning: 'hm', reasoning_content: 'hm' }))).toEqual([
      { type: 'thinking', text: 'hm', replay: token({ field: 'reasoning_content' }) },
    ]);
  });

  test('details are merged by type and index and kept whole, the signature with them', async () => {
    const detail = (fields: object): object => ({ type: 'reasoning.text', index: 0, format: 'anthropic-claude-v1', ...fields });
    const encrypted = { type: 'reasoning.encrypted', index: 0, data: 'gAAA', id: 'rs_1' };
    const content = await contentOf(
      chunk({ reasoning: 'h', reasoning_details: [detail({ text: 'h' })] }),
      chunk({ reasoning: 'm', reasoning_details: [detail({ text: 'm', signature: null })] }),
      chunk({ reasoning: null, reasoning_details: [detail({ signature: 'c2ln', format: null })] }),
      chunk({ reasoning: 'next', reasoning_details: [detail({ text: 'next' })] }),
      chunk({ reasoning_details: [encrypted] }),
      chunk({ reasoning_details: [{ ...encrypted, id: 'rs_2' }] }),
    );
    const details = [
      detail({ text: 'hm', signature: 'c2ln' }),
      detail({ text: 'next' }),
      encrypted,
      { ...encrypted, id: 'rs_2' },
    ];
    expect(content).toEqual([
      { type: 'thinking', text: 'hmnext', replay: token({ field: 'reasoning', message: { reasoning_details: details } }) },
    ]);
  });

  test('in details alone is shown all the same', async () => {
    const reasoning_details = [{ type: 'reasoning.summary', summary: 'hm', index: 0 }];
    expect(await contentOf(chunk({ reasoning_details }))).toEqual([
      { type: 'thinking', text: 'hm', replay: token({ message: { reasoning_details } }) },
    ]);
  });

  test('that is encrypted is kept with the call, with the text, or alone', async () => {
    const reasoning_details = [{ type: 'reasoning.encrypted', data: 'gAAA', id: 'a', index: 0 }];
    const replay = token({ message: { reasoning_details } });
    const call = fragment({ index: 0, id: 'a', name: 'Read', json: '{}' });
    expect(await contentOf(chunk({ reasoning_details, content: 'So' }), call)).toMatchObject([
      { text: 'So' },
      { name: 'Read', replay },
    ]);
    expect(await contentOf(chunk({ reasoning_details, content: 'So' }))).toEqual([{ type: 'text', text: 'So', replay }]);
    expect(await contentOf(chunk({ reasoning_details }))).toEqual([{ type: 'opaque', replay }]);
    expect(await contentOf(chunk({ reasoning_opaque: 'xyz' }))).toEqual([
      { type: 'opaque', replay: token({ message: { reasoning_opaque: 'xyz' } }) },
    ]);
  });
});

test("the signature of Gemini's door is kept whole, on the call or on the text", async () => {
  const extra = { google: { thought_signature: 'c2ln+/=' } };
  const call = fragment({ index: 0, id: 'a', name: 'Read', json: '{}', extra });
  const more = fragment({ index: 0, json: '' });
  expect(await contentOf(call, more)).toMatchObject([{ name: 'Read', replay: token({ call: { extra_content: extra } }) }]);
  expect(await contentOf(chunk({ content: 'Hi', extra_content: extra }))).toEqual([
    { type: 'text', text: 'Hi', replay: token({ message: { extra_content: extra } }) },
  ]);
});

describe('usage', () => {
  const usageOf = async (...events: readonly object[]): Promise<unknown> =>
    (await replyTo([chunk({ content: 'Hi' }), finish('stop'), ...events, DONE])).usage;
  const counts = { prompt_tokens: 100, completion_tokens: 7 };
  const plain = { inputTokens: 100, outputTokens: 7, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: null };

  test('is found in all its places, the last one wins', async () => {
    expect(await usageOf({ choices: [], usage: counts })).toEqual(plain);
    expect(
      await usageOf({ ...chunk({}), usage: { prompt_tokens: 1 } }, { ...chunk({}), usage: counts }, { choices: [], usage: null }),
    ).toEqual(plain);
    expect(await usageOf({ ...chunk({}), x_groq: { usage: counts } })).toEqual(plain);
    expect(await usageOf({ choices: [{ index: 0, delta: {}, usage: counts }] })).toEqual(plain);
    expect(await usageOf()).toEqual({ ...plain, inputTokens: 0, outputTokens: 0 });
  });

  test('what was cached is no input, whoever tells it', async () => {
    const cached = { ...plain, inputTokens: 40, cacheReadTokens: 60 };
    expect(await usageOf({ usage: { ...counts, prompt_tokens_details: { cached_tokens: 60 } } })).toEqual(cached);
    expect(await usageOf({ usage: { ...counts, prompt_cache_hit_tokens: 60 } })).toEqual(cached);
    expect(await usageOf({ usage: { ...counts, cached_tokens: 60 } })).toEqual(cached);
    expect(await usageOf({ usage: counts, timings: { cache_n: 60, prompt_n: 40 } })).toEqual(cached);
    const written = { cached_tokens: 60, cache_write_tokens: 30 };
    expect(await usageOf({ usage: { ...counts, prompt_tokens_details: written } })).toEqual({
      ...cached,
      inputTokens: 10,
      cacheWriteTokens: 30,
    });
  });

  test('reasoning is added only where the total says that it stands beside the output', async () => {
    const details = { completion_tokens_details: { reasoning_tokens: 5 } };
    expect(await usageOf({ usage: { ...counts, ...details, total_tokens: 107 } })).toEqual({ ...plain, reasoningTokens: 5 });
    expect(await usageOf({ usage: { ...counts, ...details, total_tokens: 112 } })).toEqual({
      ...plain,
      outputTokens: 12,
      reasoningTokens: 5,
    });
  });
});
