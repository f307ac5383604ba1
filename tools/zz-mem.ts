import { nativeProgram } from './engine/native/program.ts';
import { scriptSource } from './engine/vm/script-source.ts';
const source = scriptSource(process.argv[2]!);
let t=performance.now();
const program = nativeProgram(source);
console.log('compile', performance.now()-t);
const shared = new Map<string,string[]>();
const make=(vu:number)=>{ const i = program.instantiate({ boot: JSON.stringify({ env: {BASE_URL:'http://x'}, virtual: true }), call: (op, given) => {
  if (op==='builtins') return '={"checks":5,"group_duration":6}'; if (op==='metric') return '=30'; if(op==='sharedLength') return '=40000'; if(op==='now') return '={"t":0}'; if(op==='open') return '$'+source.open(JSON.parse(given as string)[0],false); return undefined; } });
 program.realm.atOnce(i.call(JSON.stringify({command:'adopt',vu,dice:1}))); const a=process.memoryUsage().heapUsed; i.start(); return i; };
const keep=[]; for(let i=1;i<20;i++) keep.push(make(i));
const gc=(globalThis as any).gc; gc();
const before=process.memoryUsage(); t=performance.now();
for(let i=0;i<500;i++) keep.push(make(100+i));
const ms=(performance.now()-t)/500; gc();
const after=process.memoryUsage();
console.log('ms per VU',ms.toFixed(3),'KB per VU', ((after.heapUsed-before.heapUsed)/500/1024).toFixed(1));
if (process.argv[3]) { const v8 = await import('node:v8'); v8.writeHeapSnapshot('/tmp/heap.heapsnapshot'); }
