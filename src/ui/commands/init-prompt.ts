/** What `/init` asks of the model. */
export const INIT_PROMPT = `Write AGENTS.md for this project: what someone who works in it for the first time must know and cannot see at a glance.

Look first: the manifests, the README, the folders, the checks that a change must pass, and what instructions for other tools (CLAUDE.md, GEMINI.md, .cursor, CONTRIBUTING.md) already say. Where there is an AGENTS.md, improve it and keep what still holds.

Say, briefly and with the commands as they are typed: how to build, test (all and one file), and check; where what stands; conventions that the code follows and a stranger would break; traps. Leave out what any engineer knows, lists of all files, and whatever you did not verify. At most 60 lines.`;
