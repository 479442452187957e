// The program on machines that fail: full disks, replicas that go away, hostile answers, long and heavy use.
// Run: node checks/machines.ts [disk [--rounds 60 --seed 1] | hostile [--minutes 10] | replicas [--users 200 --needs 500
// --seconds 120 --seed 1 --mixed <dist/cli.js of an older version> --verbose] | rooms [--rooms 100 --rate 20
// --seconds 60] | soak [--minutes 30 --users 12]]
import { build, run } from "./harness.ts";

build();
await run({
  disk: () => import("./machines/disk.ts"),
  hostile: () => import("./machines/hostile.ts"),
  replicas: () => import("./machines/replicas.ts"),
  rooms: () => import("./machines/rooms.ts"),
  soak: () => import("./machines/soak.ts"),
});
