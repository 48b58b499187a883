export type { Backend, Machine, OutputStore } from '../core/backend.ts';
export { type BackendParts, createBackend } from './create-backend.ts';
export { FileOutputs } from './file-outputs.ts';
export { createFileSearch } from './file-search.ts';
export { createMemoryBackend, type MemoryBackend, type MemoryBackendOptions } from './memory-backend.ts';
export { MemoryFiles, type MemoryFilesOptions } from './memory-files.ts';
export { createMemoryShell, type MemoryCommand, type RunCommand } from './memory-shell.ts';
export { createWebAccess, type WebAccessOptions } from '../host/web/web-access.ts';
export { createShellJobs } from './shell-jobs.ts';
