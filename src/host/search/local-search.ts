import type { SearchAccess } from '../../core/ports.ts';
import { NoRipgrep, ripgrepPath } from './ripgrep.ts';
import { findWithRipgrep } from './ripgrep-find.ts';
import { grepWithRipgrep } from './ripgrep-grep.ts';

/**
 * The search of this machine: on ripgrep (by default the one that came with the package, and never one of `roots`, which a model may
 * write), and without it where none can be started.
 */
export function createLocalSearch(ripgrep: string | null = null, roots: readonly string[] = []): SearchAccess {
  let fallback: { readonly search: SearchAccess; readonly note: string } | null = null;

  async function answer<T extends { readonly notes: readonly string[] }>(
    withRipgrep: (program: string) => Promise<T>,
    without: (search: SearchAccess) => Promise<T>,
  ): Promise<T> {
    try {
      if (fallback === null) return await withRipgrep(ripgrep ?? ripgrepPath(roots));
    } catch (thrown) {
      if (!(thrown instanceof NoRipgrep)) throw thrown;
      const { createPlainSearch } = await import('./plain-search.ts');
      const note = `ripgrep could not be started here (${thrown.reason}), so this was searched without it, which is slower.`;
      fallback = { search: createPlainSearch(), note };
    }
    const outcome = await without(fallback.search);
    return { ...outcome, notes: [...outcome.notes, fallback.note] };
  }

  return {
    find: (request) =>
      answer(
        (program) => findWithRipgrep(request, program),
        (search) => search.find(request),
      ),
    grep: (request) =>
      answer(
        (program) => grepWithRipgrep(request, program),
        (search) => search.grep(request),
      ),
  };
}
