import manifest from '../../package.json' with { type: 'json' };
import { dayIn, type Instant } from '../base/day.ts';
import { systemClock } from '../deps.ts';
import { instructions, readingTools } from '../features/answers/mcp/offered-tool.ts';
import { prompts } from '../features/answers/mcp/prompts.ts';
import { toolbox } from '../features/answers/messages/tools.ts';
import { CommandError } from './command.ts';
import { readOptions, usageError } from './options.ts';
import { loadRequestedFiles, readFilesRequest } from './report/files-request.ts';
import { filesView } from './report/files-view.ts';
import { Messages } from './report/messages.ts';

/**
 * `mcp FILE.csv…` serves the AI program that started it with books computed from the files. The files are read once at
 * the start. Nothing is stored or changed.
 */
export async function mcp(args: readonly string[]): Promise<number> {
  const { words: files, options } = readOptions('mcp', args, Number.POSITIVE_INFINITY);
  if (files.length === 0) throw usageError('mcp');
  if (files.includes('-'))
    throw new CommandError('Cannot read a file from stdin: the MCP client uses it. Pass the file names as arguments.');
  const request = readFilesRequest(files, options);
  const { history, stated } = await loadRequestedFiles(request, new Messages());
  const today = dayIn((systemClock.now().getTime() * 1000) as Instant, request.timeZone);
  const { serveStdio } = await import('../features/answers/mcp/server.ts');
  const offer = {
    version: manifest.version,
    instructions,
    tools: readingTools(toolbox(filesView(history, stated, today)).tools),
    prompts,
    refusalOf: () => null,
    onRefused: () => {},
  };
  await serveStdio(offer, (error) => process.stderr.write(`Failed to answer a request: ${String(error)}\n`));
  return 0;
}
