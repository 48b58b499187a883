import { html, type SafeHtml } from '../../core/safe-html.ts';
import type { Comparison, MeasuredDifference, ToolDifference } from '../compare.ts';
import { chanceText, pointsInterval, pointsText, verdictText } from '../figures.ts';

/** Two wordings beside each other: by how much, how sure, and for which tools. */
export function comparisonView({ first, second, pairs, measures, byTool }: Comparison): SafeHtml {
  const [main] = measures;
  return html`<section><h2>${second} compared with ${first}</h2>
${main === undefined ? null : html`<p class="verdict">${verdictText(main, first, second)}</p>`}
<p class="soft">${pairs} pairs of runs. Differences are in percentage points, ${second} less ${first}; intervals are 95 %, from a paired bootstrap over tasks.</p>
<div class="wide"><table><thead><tr><th>Measure</th><th class="number">Difference</th><th class="number">95 % interval</th><th class="number">Only ${first}</th><th class="number">Only ${second}</th><th>Test</th></tr></thead><tbody>${measures.map(measureRow)}</tbody></table></div>
<div class="wide"><table><thead><tr><th>Tool</th><th class="number">Difference</th><th class="number">Only ${first}</th><th class="number">Only ${second}</th><th>Adjusted (Holm)</th></tr></thead><tbody>${byTool.map(toolRow)}</tbody></table></div></section>`;
}

function measureRow({ measure, difference, interval, onlyFirst, onlySecond, chance, test }: MeasuredDifference): SafeHtml {
  return html`<tr><th>${measure}</th><td class="number">${pointsText(difference)}</td><td class="number">${pointsInterval(interval)}</td><td class="number">${onlyFirst}</td><td class="number">${onlySecond}</td><td>${test}, ${chanceText(chance)}</td></tr>`;
}

function toolRow({ tool, difference, onlyFirst, onlySecond, chance }: ToolDifference): SafeHtml {
  return html`<tr><th>${tool}</th><td class="number">${pointsText(difference)}</td><td class="number">${onlyFirst}</td><td class="number">${onlySecond}</td><td>${chanceText(chance)}</td></tr>`;
}
