import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { displayJson } from '../core/display-text.ts';
import { ContentStore } from '../host/effects/content-store.ts';
import { renderMarkdown } from '../sessions/export/render-markdown.ts';
import { renderPage } from '../sessions/export/html/page.ts';
import { readDocument } from '../sessions/export/read-document.ts';
import { knownSecrets } from './known-secrets.ts';
import { pathOfSession } from './past-session.ts';
import { effectsFolder } from './user-folders.ts';
import { type UserFolders } from './user-folders.ts';

export type ExportFormat = 'html' | 'markdown' | 'json';

export interface ExportRequest {
  /** Null is the newest of the folder. */
  readonly sessionId: string | null;
  readonly format: ExportFormat;
  readonly cwd: string;
  readonly folders: UserFolders;
  /** Keys in it are masked, whatever they look like. */
  readonly environment: NodeJS.ProcessEnv;
}

/** A session as one text for people or programs, and its id. Errors: AgentError `session_missing`, `session_unreadable`. */
export async function exportSession(request: ExportRequest): Promise<{ readonly id: string; readonly text: string }> {
  const { sessionId, format, cwd, folders, environment } = request;
  const path = await pathOfSession(sessionId, folders, cwd);
  const contents = join(effectsFolder(folders, cwd), 'contents');
  const store = existsSync(contents) ? new ContentStore(contents) : null;
  try {
    const document = await readDocument(path, { store, knownKeys: await knownSecrets(cwd, folders, environment) });
    const id = basename(path, '.jsonl');
    if (format === 'json') return { id, text: `${displayJson(document, 2)}\n` };
    return { id, text: format === 'html' ? renderPage(document) : renderMarkdown(document) };
  } finally {
    store?.close();
  }
}
