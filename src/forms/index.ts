import { csvReport } from './exports/csv.ts';
import { drakeReport } from './exports/drake.ts';
import { fdxReport } from './exports/fdx.ts';
import { form8997Csv } from './exports/form-8997.ts';
import { jsonReport } from './exports/json.ts';
import { taxactReport } from './exports/taxact.ts';
import { turbotaxReport } from './exports/turbotax.ts';
import { txfReport } from './exports/txf.ts';
import { formReport } from './form-report.ts';
import { fullReport } from './full/full-report.ts';
import { preparerFiles } from './preparer.ts';
import { reconciliationCsv, reconciliationReport } from './reconciliation/statement.ts';
import type { ReportFormat } from './report.ts';

/** All report formats. To add one, add a file and list it here. test/forms/conformance tests them all. */
export const reportFormats: readonly ReportFormat[] = [
  formReport,
  txfReport,
  fullReport,
  csvReport,
  turbotaxReport,
  taxactReport,
  drakeReport,
  fdxReport,
  jsonReport,
  reconciliationReport,
  reconciliationCsv,
  form8997Csv,
  preparerFiles,
];

export function reportFormat(id: string): ReportFormat | undefined {
  return reportFormats.find((format) => format.id === id);
}
