/** A name that nobody else has and that cannot be guessed: two hex digits a byte. */
export function randomName(bytes = 8): string {
  // Asked for here and not imported: the module takes 10 ms to load, and most starts need no name.
  return process.getBuiltinModule('node:crypto').randomBytes(bytes).toString('hex');
}
