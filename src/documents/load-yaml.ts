import { parseQuickly, type Yaml, type YamlOptions } from './quick-yaml.ts';

/** The same as `parseYaml`, but that the parser of all YAML is loaded only for a text that needs it. */
export async function loadYaml(text: string, file: string, options?: YamlOptions): Promise<Yaml> {
  return parseQuickly(text, file, options) ?? (await import('./yaml.ts')).readWholeYaml(text, file);
}
