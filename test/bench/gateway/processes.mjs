/** Starts and stops what is measured, each pinned to one core, and reads from the system what it cost. */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';

const running = new Set();

export async function start({ port, command }, core) {
  const child = spawn('taskset', ['-c', String(core), ...command], { stdio: ['ignore', 'ignore', 'inherit'] });
  running.add(child);
  for (let tries = 0; tries < 2000; tries++) {
    if (await isListening(port)) return child;
    await new Promise((wake) => setTimeout(wake, 5));
  }
  throw new Error(`did not come to listen: ${command.join(' ')}`);
}

function isListening(port) {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.on('connect', () => socket.end(() => resolve(true))).on('error', () => resolve(false));
  });
}

export async function stop(child) {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
  running.delete(child);
}

export function stopAll() {
  for (const child of running) child.kill('SIGKILL');
}

export function memoryMb(pid) {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

/** Of the process alone, all its threads, whoever else is at work on the machine. */
export function cpuSeconds(pid) {
  const threads = readdirSync(`/proc/${pid}/task`);
  const nanoseconds = threads.map(
    (thread) => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0],
  );
  return nanoseconds.reduce((sum, each) => sum + Number(each), 0) / 1e9;
}
