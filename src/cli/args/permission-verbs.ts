import { type Command, Option } from 'commander';
import { PERMISSION_MODES } from '../../core/permission.ts';
import type { ExplainFlags, GateFlags } from '../permissions.ts';
import type { VerbGroup } from './verbs.ts';

export const PERMISSION_VERBS: VerbGroup = {
  name: 'permissions',
  summary: 'what the gate would say, without running anything',
  fill(permissions, verbs, finish) {
    withGateOptions(
      permissions.command('explain [command]').description('what would be decided of a command, or of any call, part by part'),
    )
      .addOption(new Option('--tool <name>', 'the tool').default('Bash'))
      .option('--input <json>', 'the input as JSON, where it is more than a command; - reads it from stdin')
      .action((command: string | undefined, flags: ExplainFlags) => finish(verbs.explainPermission(command, flags)));
    withGateOptions(permissions.command('list').description('the rules that hold here, and where each stands')).action(
      (flags: GateFlags) => finish(verbs.listPermissions(flags)),
    );
    withGateOptions(
      permissions.command('test').description('the cases in your settings (permissions.cases); exit 1 where one is not met'),
    ).action((flags: GateFlags) => finish(verbs.testPermissions(flags)));
    withGateOptions(
      permissions.command('replay <session>').description("what the present rules would decide of a session's calls"),
    ).action((id: string, flags: GateFlags) => finish(verbs.replaySession(id, flags)));
  },
};

function withGateOptions(command: Command): Command {
  return command
    .addOption(new Option('--permission-mode <mode>', 'what is asked').choices(PERMISSION_MODES))
    .option('--allow <rules...>', 'further rules that pass unasked')
    .option('--deny <rules...>', 'further rules that are refused')
    .option('--accept-unsandboxed', 'judge as with that flag, where there is no sandbox')
    .option('--cwd <folder>', 'the workspace')
    .option('--json', 'as JSON');
}
