export { type OpenSessionLog, openSessionLog, type SessionHeader } from './session-log.ts';
export { readSession, type SessionFile, sessionFiles } from './read-session.ts';
export type { SessionLog, SessionNote, SessionState, SessionTurn } from '../core/session.ts';
