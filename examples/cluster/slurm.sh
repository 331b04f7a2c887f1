#!/usr/bin/env bash
# A run on several nodes of Slurm: sbatch examples/cluster/slurm.sh connect4 my-run
# The first node learns and plays, the others play. When the job's time is over, the same command goes on with the run.
#SBATCH --job-name=nought
#SBATCH --nodes=4
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=16
#SBATCH --time=08:00:00
#SBATCH --signal=B:TERM@120
set -euo pipefail

game=${1:-connect4}
run=${2:-slurm}
port=$((20000 + SLURM_JOB_ID % 20000))  # another one for every job
export RAY_USAGE_STATS_ENABLED=0

mapfile -t nodes < <(scontrol show hostnames "$SLURM_JOB_NODELIST")
head=${nodes[0]}
address=$(srun --nodes=1 --ntasks=1 -w "$head" hostname --ip-address | awk '{print $1}')

srun --nodes=1 --ntasks=1 -w "$head" \
    ray start --head --node-ip-address="$address" --port="$port" --num-cpus="$SLURM_CPUS_PER_TASK" \
    --include-dashboard=false --block &
until ray health-check --address "$address:$port" 2>/dev/null; do sleep 2; done
if ((${#nodes[@]} > 1)); then
    srun --nodes=$((${#nodes[@]} - 1)) --ntasks=$((${#nodes[@]} - 1)) --exclude="$head" \
        bash -c "until ray start --address=$address:$port --num-cpus=$SLURM_CPUS_PER_TASK --block; do sleep 5; done" &
fi

if [[ -d runs/$run ]]; then
    what=(--resume "$run")
else
    what=("$game" --run "$run" --set run.minutes=0)
fi
srun --overlap --nodes=1 --ntasks=1 -w "$head" nought train "${what[@]}" --cluster "$address:$port" &
learner=$!
trap 'kill -TERM "$learner"; wait "$learner" || true' TERM
wait "$learner"
