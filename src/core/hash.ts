/** A content hash: 16 hex digits of SHA-256, enough to tell versions of one file apart. */
export function shortHash(data: string | Uint8Array): string {
  return process.getBuiltinModule('node:crypto').createHash('sha256').update(data).digest('hex').slice(0, 16);
}
