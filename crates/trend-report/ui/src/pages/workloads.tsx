export function Workloads({ id }: { id: string }) {
  return <h1>Workloads {id}</h1>;
}
