import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  inputRequired,
  type InputRequiredResult,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { displayLine } from '../../core/display-text.ts';
import { isJsonObject, type JsonObject } from '../../core/json-value.ts';
import { fail, type ToolResult } from '../../core/tool-result.ts';
import { isTooDeep } from '../json-depth.ts';
import { OpenQuestions } from './open-questions.ts';
import { permissionForm, readPermission } from './permission-form.ts';
import { latestProgress } from './progress-notes.ts';
import type { ServedCall, ServedTools, ServerIdentity } from './served-tools.ts';

const MAX_PROGRESS_CHARS = 200;
const QUESTION = 'permission';

/**
 * Makes servers of the same tools, one a connection; a question that one of them handed out can come back to another.
 * Source: MCP 2025-11-25 and 2026-07-28. In the later one a question is the answer to a call, and the call comes again with what was said.
 */
export function createToolServers(tools: ServedTools, { name = 'wield', version, instructions }: ServerIdentity): () => Server {
  const questions = new OpenQuestions();
  return () => {
    const server = new Server({ name, title: name, version }, { capabilities: { tools: {} }, instructions });
    server.setRequestHandler('tools/list', () => ({ tools: [...tools.list()] }));
    server.setRequestHandler('tools/call', async ({ params }, context): Promise<CallToolResult | InputRequiredResult> => {
      const call = { name: params.name, input: params.arguments ?? {} };
      if (isTooDeep(call.input))
        return renderResult(fail(`${displayLine(call.name)} was not run: its input is nested too deep.`));
      const fingerprint = questions.take(context.mcpReq.requestState(), call);
      const outcome = await tools.call({
        ...call,
        ...clientOf(server, context),
        answer: fingerprint === null ? null : readPermission(context.mcpReq.inputResponses?.[QUESTION], fingerprint),
        signal: context.mcpReq.signal,
        progress: progressOf(context),
      });
      if (outcome.type === 'result') return renderResult(outcome.result);
      return inputRequired({
        inputRequests: { [QUESTION]: inputRequired.elicit(permissionForm(outcome.question)) },
        requestState: questions.keep(call, outcome.question.fingerprint),
      });
    });
    return server;
  };
}

/** Metadata stays here: it is for people and programs on this side, and a client hands structured content to its model. */
function renderResult({ content, isError }: ToolResult): CallToolResult {
  return {
    content: content.map((block) =>
      block.type === 'text' ? { type: 'text', text: block.text } : { type: 'image', data: block.data, mimeType: block.mediaType },
    ),
    isError,
  };
}

/** A later revision says with each request who it is and what it can do, an earlier one when it connects. */
function clientOf(server: Server, { mcpReq: { envelope } }: ServerContext): Pick<ServedCall, 'client' | 'canAsk'> {
  const said: JsonObject = envelope ?? {};
  const capabilities = said[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities();
  const info = said[CLIENT_INFO_META_KEY] ?? server.getClientVersion();
  const { name, version } = isJsonObject(info) ? info : {};
  const words = [name, version].filter((word) => typeof word === 'string' && word !== '').join(' ');
  return { client: displayLine(words, 60) || 'a client without a name', canAsk: takesForms(capabilities) };
}

/** An empty `elicitation` means forms. Source: MCP 2025-11-25, elicitation, capabilities. */
function takesForms(capabilities: unknown): boolean {
  const elicitation = isJsonObject(capabilities) ? capabilities['elicitation'] : undefined;
  return isJsonObject(elicitation) && (elicitation['form'] !== undefined || Object.keys(elicitation).length === 0);
}

function progressOf({ mcpReq }: ServerContext): (text: string) => void {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return () => undefined;
  return latestProgress(({ progress, message }) =>
    mcpReq.notify({
      method: 'notifications/progress',
      params: { progressToken, progress, message: displayLine(message, MAX_PROGRESS_CHARS) },
    }),
  );
}
