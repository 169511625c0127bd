import type { Command } from 'commander';
export function registerCompletion(command: Command): void { command.description('being written'); }
