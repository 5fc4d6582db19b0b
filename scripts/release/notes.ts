/**
 * Returns the notes of a version: its section of the changelog. Before the heading of the version exists, this is the
 * section "Unreleased", and the notes state that the version is not released.
 *
 * @throws if the changelog has neither section
 */
export function cutNotes(changelog: string, version: string): string {
  const sections = changelog.split(/^(?=## )/m);
  const find = (title: string) => sections.find((section) => section.split(/[\s:]/)[1] === title);
  const released = find(version);
  const section = released ?? find('Unreleased');
  if (section === undefined)
    throw new Error(`The changelog has no section for ${version}. Add the heading "## ${version}".`);
  const body = section.slice(section.indexOf('\n')).trim();
  const state = released === undefined ? 'A preview of this version, which is not released.\n\n' : '';
  return `# Lotbook ${version}\n\n${state}${body}\n`;
}
