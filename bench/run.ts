import { writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { floor, wield } from './agents.ts';
import { figuresOf, passes, type Samples } from './figures.ts';
import { makeHome, measureCommand, measureSession } from './measure.ts';
import { SCENARIOS, type ScenarioName } from './scenarios.ts';
import { renderTable } from './table.ts';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '7' }, json: { type: 'string' } } });
const rounds = Number(values.rounds);
if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds takes a whole number from 1');

const { home, remove } = makeHome();
process.on('exit', remove);
const [loadBefore] = loadavg();
// The first round fills the caches and is not counted.
await addRound(emptySamples(), emptySamples());
const [ours, least] = [emptySamples(), emptySamples()];
for (let round = 1; round <= rounds; round++) {
  process.stderr.write(`round ${round} of ${rounds}\n`);
  await addRound(ours, least);
}
const figures = figuresOf(ours, least);
const machine = `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model}, load ${loadBefore?.toFixed(1)} before`;
console.log(`Medians of ${rounds} rounds, wield and the floor in turn; ${machine}`);
console.log(renderTable(figures));
if (values.json !== undefined) {
  writeFileSync(
    values.json,
    `${JSON.stringify({ date: new Date().toISOString(), node: process.version, rounds, figures }, null, 2)}\n`,
  );
}
process.exitCode = figures.some((figure) => passes(figure) === false) ? 1 : 0;

/** Each measurement of wield is followed by the same one of the floor, so that a slow minute of the machine hits both. */
async function addRound(wieldSamples: Samples, floorSamples: Samples): Promise<void> {
  const pair = [
    { agent: wield, samples: wieldSamples },
    { agent: floor, samples: floorSamples },
  ];
  for (const command of ['version', 'help'] as const)
    for (const { agent, samples } of pair) samples[command].push(await measureCommand(agent[command], home));
  for (const name of Object.keys(SCENARIOS) as ScenarioName[])
    for (const { agent, samples } of pair) samples.sessions[name].push(await measureSession(agent, SCENARIOS[name], home));
}

function emptySamples(): Samples {
  return { sessions: { first: [], read: [], shell: [], mixed: [] }, version: [], help: [] };
}
