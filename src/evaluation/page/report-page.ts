import { createHash } from 'node:crypto';
import { html, type SafeHtml, trustedHtml } from '../../core/safe-html.ts';
import { intervalText, percent, shareText } from '../figures.ts';
import type { EvaluationReport, Mistake, Share, ToolScore, WordingScore } from '../report.ts';
import { comparisonView } from './comparison-view.ts';
import { matrixView } from './matrix-view.ts';
import { pageStyle } from './page-files.ts';

/** An evaluation as one page that needs nothing else: no script is in it, and no request leaves it. */
export function renderReportPage(report: EvaluationReport): string {
  const style = pageStyle();
  const policy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'`;
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${trustedHtml(policy)}"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>Tools of ${report.model} · wield</title><style>${trustedHtml(style)}</style></head>
<body><header><h1>How well ${report.model} finds the tools</h1>
<p class="soft">${factsOf(report)}</p>${report.notices.map((notice) => html`<p role="note">${notice}</p>`)}</header>
<main>${report.comparison === null ? null : comparisonView(report.comparison)}${report.wordings.map((score) => wordingView(score, report.wordings.length > 1))}</main>
</body></html>
`.markup;
}

function factsOf({ tasks, rounds, wordings, toolNames, seed, usage, cost }: EvaluationReport): string {
  const asked = `${tasks} tasks, each asked ${rounds === 1 ? 'once' : `${rounds} times`}${wordings.length > 1 ? ' with each wording' : ''}`;
  const tokens = `${usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens} tokens in, ${usage.outputTokens} out`;
  return [
    asked,
    `names in ${toolNames}`,
    `seed ${seed}`,
    tokens,
    ...(cost === null ? [] : [`about $${cost.toFixed(2)} by list prices`]),
  ].join(' · ');
}

function wordingView(score: WordingScore, isOneOfTwo: boolean): SafeHtml {
  const { wording, rightTool, rightArguments, byTool, byLanguage, confusion, mistakes, unanswered } = score;
  return html`<section>${isOneOfTwo ? html`<h2>Wording: ${wording}</h2>` : null}
<dl class="figures">${figure('Right tool', rightTool)}${figure('Right arguments, where the tool was right', rightArguments)}${byLanguage.map((row) => figure(`Right tool in ${row.language}`, row.rightTool))}</dl>
${unanswered === 0 ? null : html`<p role="note">${unanswered} requests got no answer, and count neither as right nor as wrong.</p>`}
<h2>Each tool</h2><div class="wide"><table><thead><tr><th>Tool</th><th class="number">Tasks</th><th class="number">Right tool</th><th>95 % interval (Wilson)</th><th></th><th class="number">Right arguments</th></tr></thead><tbody>${byTool.map(toolRow)}</tbody></table></div>
<h2>What was taken for what</h2>${matrixView(confusion)}
${mistakes.length === 0 ? null : html`<h2>What was not right</h2><div class="wide"><table><thead><tr><th>Task</th><th>Asked</th><th>Expected</th><th>Chosen</th></tr></thead><tbody>${mistakes.map(mistakeRow)}</tbody></table></div>`}</section>`;
}

function figure(name: string, share: Share): SafeHtml {
  return html`<div><dt>${name}</dt><dd>${shareText(share)}</dd><dd>${share.right} of ${share.count}; 95 %: ${intervalText(share.interval)}</dd></div>`;
}

function toolRow({ tool, rightTool, rightArguments }: ToolScore): SafeHtml {
  return html`<tr><th>${tool}</th><td class="number">${rightTool.count}</td><td class="number">${shareText(rightTool)}</td><td class="number">${intervalText(rightTool.interval)}</td><td>${barOf(rightTool)}</td><td class="number">${rightArguments.right} of ${rightArguments.count}</td></tr>`;
}

const BAR_WIDTH = 200;

function barOf({ right, count, interval }: Share): SafeHtml {
  const at = (share: number): string => (share * BAR_WIDTH).toFixed(1);
  const share = count === 0 ? 0 : right / count;
  return html`<svg class="bar" viewBox="0 0 ${BAR_WIDTH} 18" role="img" aria-label="${percent(share)}"><rect class="bar-ground" x="0" y="4" width="${BAR_WIDTH}" height="10" rx="3"></rect><rect class="bar-share" x="0" y="4" width="${at(share)}" height="10" rx="3"></rect><path class="bar-reach" fill="none" d="M${at(interval.low)} 1v16M${at(interval.high)} 1v16M${at(interval.low)} 9H${at(interval.high)}"></path></svg>`;
}

const MAX_INPUT_CHARS = 300;

function mistakeRow({ id, prompt, expected, chosen, fault, input }: Mistake): SafeHtml {
  const written = input === null || input === undefined ? '' : JSON.stringify(input);
  const shown = written.length > MAX_INPUT_CHARS ? `${written.slice(0, MAX_INPUT_CHARS)}…` : written;
  return html`<tr><td><code>${id}</code></td><td dir="auto">${prompt}</td><td>${expected}</td><td>${chosen} <code>${shown}</code>${fault === null ? null : html`<br><span class="soft">${fault}</span>`}</td></tr>`;
}
