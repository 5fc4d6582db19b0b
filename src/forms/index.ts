import { csvReport } from './csv.ts';
import { formReport } from './form-report.ts';
import { fullReport } from './full/full-report.ts';
import { jsonReport } from './json.ts';
import type { ReportFormat } from './report.ts';
import { taxactReport } from './taxact.ts';
import { turbotaxReport } from './turbotax.ts';
import { txfReport } from './txf.ts';

/** Every report there is: a file and a line here. test/forms/conformance holds each to the same promises. */
export const reportFormats: readonly ReportFormat[] = [
  formReport,
  txfReport,
  fullReport,
  csvReport,
  turbotaxReport,
  taxactReport,
  jsonReport,
];

export function reportFormat(id: string): ReportFormat | undefined {
  return reportFormats.find((format) => format.id === id);
}
