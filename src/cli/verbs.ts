// The verbs that need no session and are seldom called, in one piece: each import of its own would cut what they have in common into more files to load.
export { listModels } from './models.ts';
export { explainPermission, listPermissions, replaySession, testPermissions } from './permissions.ts';
export { showSandbox } from './sandbox.ts';
export { listSessions, showSession } from './sessions.ts';
export { diff, redo, undo } from './undo.ts';
