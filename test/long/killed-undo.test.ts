// Killed before every step.
process.env['KILL_STEPS'] = 'all';
await import('../crash/killed-undo.test.ts');
