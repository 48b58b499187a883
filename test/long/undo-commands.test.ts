// All of the commands, of which each usual run takes every second one.
process.env['UNDO_COMMANDS'] = 'all';
await import('../undo-commands.test.ts');
