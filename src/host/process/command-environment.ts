const ALLOWED = new Set([
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'TERM',
  'TMPDIR',
  'TZ',
  'LANG',
  'LANGUAGE',
  'NO_COLOR',
  'FORCE_COLOR',
  'CI',
  'COLUMNS',
  'XDG_CONFIG_HOME',
  'XDG_CACHE_HOME',
  'XDG_DATA_HOME',
  'XDG_STATE_HOME',
  'XDG_RUNTIME_DIR',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'NODE_EXTRA_CA_CERTS',
  'JAVA_HOME',
  'GOPATH',
  'GOROOT',
  'CARGO_HOME',
  'RUSTUP_HOME',
  'NVM_DIR',
  'PYENV_ROOT',
  'VIRTUAL_ENV',
  'CONDA_PREFIX',
  'BUN_INSTALL',
]);

// A pager or an editor would wait for a person who is not there: pagers print, editors and prompts fail at once.
const UNATTENDED: Readonly<Record<string, string>> = {
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  MANPAGER: 'cat',
  SYSTEMD_PAGER: 'cat',
  GIT_TERMINAL_PROMPT: '0',
  GIT_EDITOR: 'false',
  EDITOR: 'false',
  VISUAL: 'false',
  GIT_ASKPASS: 'false',
  SSH_ASKPASS: 'false',
  DEBIAN_FRONTEND: 'noninteractive',
};

// A folder that looks like a repository is none: its configuration could name programs, and a command can make such a folder.
const GIT_SETTINGS: Readonly<Record<string, string>> = {
  GIT_CONFIG_COUNT: '1',
  GIT_CONFIG_KEY_0: 'safe.bareRepository',
  GIT_CONFIG_VALUE_0: 'explicit',
};

/** The environment of commands: an allow-list, so that no child is handed a key (a command that looks into this program's own memory is another matter), and settings that keep programs from waiting. */
export function commandEnvironment(parent: NodeJS.ProcessEnv): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(parent)) {
    if (value !== undefined && (ALLOWED.has(name) || name.startsWith('LC_'))) environment[name] = value;
  }
  return { ...environment, ...UNATTENDED, ...GIT_SETTINGS };
}
