import { realFolder } from '../app/real-folder.ts';
import { reportSession, reportSessions, treeOf } from '../app/past-session.ts';
import { userFolders } from '../app/user-folders.ts';
import { displayJson, displayText } from '../core/display-text.ts';
import { renderReport, renderReportLine, reportAsJson } from './session-report-text.ts';
import { workingFolder } from './working-folder.ts';
import { writeOut } from './write-out.ts';

/** `wield sessions`: the sessions of this folder, the newest first, each branch below the one that it left. */
export async function listSessions({ json }: { json?: boolean }): Promise<number> {
  const { reports, faults } = await reportSessions(userFolders(process.env), realFolder(workingFolder()));
  for (const fault of faults) process.stderr.write(`${displayText(fault)}\n`);
  if (json === true)
    await writeOut(
      `${displayJson(
        reports.map((report) => reportAsJson(report, false)),
        2,
      )}\n`,
    );
  else if (reports.length === 0) await writeOut('There are no sessions in this folder.\n');
  else for (const { session, depth } of treeOf(reports)) await writeOut(`${renderReportLine(session, depth)}\n`);
  return 0;
}

/** `wield sessions show [ID]`: what a session came to, with `--ledger` for each tool too. Without an id the newest. */
export async function showSession(id: string | undefined, flags: { ledger?: boolean; json?: boolean }): Promise<number> {
  const report = await reportSession(id ?? null, userFolders(process.env), realFolder(workingFolder()));
  for (const notice of report.notices) process.stderr.write(`${displayText(notice)}\n`);
  const withLedger = flags.ledger ?? false;
  const text = flags.json === true ? displayJson(reportAsJson(report, withLedger), 2) : renderReport(report, withLedger);
  await writeOut(`${text}\n`);
  return 0;
}
