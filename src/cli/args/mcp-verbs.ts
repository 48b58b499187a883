import { Option } from 'commander';
import { PERMISSION_MODES, SANDBOX_MODES } from '../../core/permission.ts';
import type { McpServeFlags } from '../mcp.ts';
import { wholeNumber } from './values.ts';
import type { VerbGroup } from './verbs.ts';

export const MCP_VERBS: VerbGroup = {
  name: 'mcp',
  summary: 'the Model Context Protocol',
  fill(mcp, verbs, finish) {
    mcp
      .command('approve [server] [digest]')
      .description('show what servers of .mcp.json have come to offer since they were first seen; with its digest, take it')
      .option('--cwd <folder>', 'the workspace')
      .action((server: string | undefined, digest: string | undefined, flags: { cwd?: string }) =>
        finish(verbs.approveMcp(server, digest, flags)),
      );
    mcp
      .command('serve')
      .description('the tools for an MCP client on stdin and stdout, behind the same gate')
      .addOption(new Option('--permission-mode <mode>', 'what is asked').choices(PERMISSION_MODES))
      .option('--allowedTools, --allowed-tools <rules...>', 'rules that pass unasked, for example "Bash(npm test)"')
      .option('--disallowedTools, --disallowed-tools <rules...>', 'rules that are refused')
      .option('--add-dir <folders...>', 'further folders that count as the workspace')
      .option('--trust', 'trust this folder: load its settings, now and later')
      .addOption(new Option('--sandbox <mode>', 'what commands may change (default: workspace-write)').choices(SANDBOX_MODES))
      .option('--require-sandbox', 'stop where commands cannot be confined')
      .option('--accept-unsandboxed', 'without a sandbox, let rules allow commands that run project code')
      .option('--cwd <folder>', 'the workspace')
      .option('--http <port>', 'serve on this port of loopback instead, with a token that stderr tells', wholeNumber)
      .action((flags: McpServeFlags) => finish(verbs.serveMcp(flags)));
  },
};
